import { Registry } from '../domain/registry.ts';
import { drainEvict } from './drain-evict.ts';
import { drainReady } from './drain-ready.ts';
import { drainScale } from './drain-scale.ts';
import { drain } from './drain.ts';
import { exitNow } from './exit-now.ts';
import { ignore } from './ignore.ts';

export const scenarios = new Registry('scenario', [exitNow, drain, ignore, drainEvict, drainScale, drainReady]);

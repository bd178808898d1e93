import type { PlugIns } from '../experiment/plan.ts';
import { proxyModes } from '../proxy-modes/index.ts';
import { scenarios } from '../scenarios/index.ts';
import { triggers } from '../triggers/index.ts';

export const plugIns: PlugIns = { scenarios, triggers, proxyModes };

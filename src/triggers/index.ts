import { Registry } from '../domain/registry.ts';
import { deleteTrigger } from './delete.ts';
import { evictTrigger } from './evict.ts';
import { scaleTrigger } from './scale.ts';

export const triggers = new Registry('trigger', [deleteTrigger, evictTrigger, scaleTrigger]);

import { levelsChart } from './levels.ts';

export const proxyModes = levelsChart('proxy-mode', 'proxy-modes', 'Proxy modes side by side');

import { benchFlows } from './flows.mjs';

/** TCP flows, and as many UDP flows. */
const sizes = [10, 100, 1_000, 5_000];

/** How late the client sent, what it spent and what it lost, by the number of flows it held. */
export const generator = {
  name: 'flow generator',
  async measure() {
    const { results } = await benchFlows(sizes.map((flows) => ({ flows })));
    return Object.assign({}, ...results.map(figuresOfFlows));
  },
};

function figuresOfFlows({ flows, sendLatenessMs, ...result }) {
  const name = `${flows.toLocaleString('en')} + ${flows.toLocaleString('en')} flows`;
  const figures = {
    'sends late, p50': ['ms', sendLatenessMs?.p50],
    'sends late, p99': ['ms', sendLatenessMs?.p99],
    'sends late, most': ['ms', sendLatenessMs?.max],
    'client CPU of a core': ['%', result.clientCpuShare * 100],
    'memory a flow': ['kB', result.memoryPerFlowKb],
    'datagrams and heartbeats unanswered': ['', result.unanswered],
    'last of all resets known after': ['ms', result.detectedAfterLastResetMs],
  };
  return Object.fromEntries(
    Object.entries(figures)
      .filter(([, [, value]]) => typeof value === 'number')
      .map(([figure, [unit, value]]) => [`${name}, ${figure}`, { unit, values: [value] }]),
  );
}

import { describe, expect, test } from 'vitest';
import { expectationUnder } from '../../../src/domain/expectation-under.ts';
import { proxyModes } from '../../../src/proxy-modes/index.ts';
import { scenarios } from '../../../src/scenarios/index.ts';
import { triggers } from '../../../src/triggers/index.ts';

const under = (mode: string | null, name: string) => {
  const scenario = scenarios.get(name);
  const unservedTcp = mode === null ? undefined : proxyModes.get(mode).unservedTcp;
  return expectationUnder(scenario, triggers.get(scenario.trigger), unservedTcp);
};

describe('what a trial is held against', () => {
  test.each(['iptables', 'nftables', 'ipvs', null])('is the scenario’s own expectation under %s', (mode) => {
    for (const { name, expects } of scenarios) expect(under(mode, name)).toEqual(expects);
  });

  test.each(['drain', 'drain-evict'])('is under Cilium that %s loses TCP flows to the replacement', (name) => {
    const tcp = { kind: 'severed', by: ['rst'], or: { kind: 'read-timeout' } };
    expect(under('cilium', name)).toEqual({ tcp, exitCode: 0 });
  });

  test('is under Cilium that flows time out where nothing replaces the pod', () => {
    expect(under('cilium', 'drain-scale')).toEqual({ tcp: { kind: 'read-timeout' }, exitCode: 0 });
  });

  test.each(['exit-now', 'ignore', 'drain-ready'])(
    'is under Cilium as elsewhere for %s, which withdraws no readiness',
    (name) => {
      expect(under('cilium', name)).toEqual(scenarios.get(name).expects);
    },
  );
});

test('each proxy mode says where its source tells what becomes of flows', () => {
  for (const { unservedTcp } of proxyModes) expect(new URL(unservedTcp.source).pathname).toMatch(/\/blob\/v[0-9.]+\//);
});

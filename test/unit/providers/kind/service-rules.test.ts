import { expect, test } from 'vitest';
import { rulesOf } from '../../../../src/providers/kind/service-rules.ts';

const nft = (...chains: readonly (readonly [table: string, name: string])[]) =>
  JSON.stringify({
    nftables: [
      { metainfo: { version: '1.1.3', json_schema_version: 1 } },
      ...chains.map(([table, name]) => ({ chain: { family: 'ip', table, name, handle: 1 } })),
    ],
  });

test('chains are counted by who makes them: those of both kinds of iptables, and those of the table kube-proxy', () => {
  const listed = nft(['nat', 'KUBE-SVC-1'], ['nat', 'KUBE-SEP-1'], ['kube-proxy', 'services'], ['kube-proxy', 'x']);
  expect(rulesOf(`${listed}\n3\n7`, 'n')).toEqual({
    status: 'measured',
    value: { iptablesChains: 4, nftablesChains: 2, ipvsServices: 7 },
  });
});

test('a node without any rules has none, which is not the same as rules that can’t be read', () => {
  expect(rulesOf(`${nft()}\n0\n0`, 'n')).toMatchObject({ status: 'measured' });
  expect(rulesOf('\n0\n0', 'n')).toMatchObject({ status: 'not-measured' });
  expect(rulesOf(`${nft()}\nsh: not found\n0`, 'n')).toMatchObject({ status: 'not-measured' });
  expect(rulesOf('', 'n')).toMatchObject({ status: 'not-measured' });
});

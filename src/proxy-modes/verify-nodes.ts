import type { NodeDataPlane, Verification } from '../domain/data-plane.ts';

/** Judges each node; the gravest finding stands, and a node that is as asked never hides one that is not. */
export function verifyNodes(
  nodes: readonly NodeDataPlane[],
  verifyNode: (node: NodeDataPlane) => Verification,
): Verification {
  const found = nodes.map(verifyNode);
  for (const status of ['unmet', 'unverifiable'] as const) {
    const grave = found.filter((verification) => verification.status === status);
    if (grave.length > 0) return { status, detail: grave.map(({ detail }) => detail).join('; ') };
  }
  if (found.length === 0) return { status: 'unverifiable', detail: 'no node was looked at' };
  return { status: 'met', detail: found.map(({ detail }) => detail).join('; ') };
}

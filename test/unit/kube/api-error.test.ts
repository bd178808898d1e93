import { ApiException } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { apiStatusOf, explainApiError, isTransient } from '../../../src/kube/api-error.ts';

const refusal = (code: number, message = 'no') =>
  new ApiException(code, 'text', JSON.stringify({ kind: 'Status', message, reason: 'X', code }), {});
const connectionError = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
const explain = (error: unknown) => explainApiError('create a Pod', 'https://api:6443', error);

test.each([
  [401, 'requirement'],
  [403, 'requirement'],
  [422, 'input'],
  [404, 'harness'],
  [409, 'harness'],
  [503, 'harness'],
] as const)('a refusal with %i is the fault of: %s; its status and cause are kept', (status, kind) => {
  const cause = refusal(status, 'the reason');
  const error = explain(cause);
  expect(error).toMatchObject({ kind, cause });
  expect(error.message).toContain(`${status}: the reason`);
  expect(apiStatusOf(error)).toBe(status);
});

test.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
  'a connection that fails with %s is an unmet requirement',
  (code) => {
    const error = explain(connectionError(code));
    expect(error.kind).toBe('requirement');
    expect(error.facts.found).toContain(code);
  },
);

test('what was explained once is not explained again', () => {
  const first = explain(refusal(403));
  expect(explainApiError('something else', 'elsewhere', first)).toBe(first);
});

test('asking again is for what may pass by itself: throttling, a server in trouble, a broken connection', () => {
  expect([429, 500, 503].map((status) => isTransient(explain(refusal(status))))).toEqual([true, true, true]);
  expect(isTransient(explain(connectionError('ECONNRESET')))).toBe(true);
  expect([400, 401, 403, 404, 409, 422].some((status) => isTransient(explain(refusal(status))))).toBe(false);
  expect(isTransient(explain(connectionError('ECONNREFUSED')))).toBe(false);
});

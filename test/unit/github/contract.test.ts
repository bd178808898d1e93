import { expect, test } from 'vitest';
import { z } from 'zod';
import { example, faultsOfRequest, faultsOfResponse, match } from '../../fixtures/github/contract.ts';

/** A check that can't fail holds nothing: these are traffic that GitHub's description forbids. */

const matched = (method: string, path: string) => {
  const found = match(method, path);
  if (found === undefined) throw new Error(`${method} ${path} is not described`);
  return found;
};
const createComment = matched('POST', '/repos/o/r/issues/12/comments');
const listComments = matched('GET', '/repos/o/r/issues/12/comments');
const sent = (body?: unknown, query: readonly [string, string][] = []) => ({ query: new Map(query), body });

test('a path leads to its operation and its parameters', () => {
  expect(createComment).toMatchObject({ operationId: 'issues/create-comment', parameters: { issue_number: '12' } });
  expect(match('PATCH', '/repos/o/r/issues/comments/7')?.operationId).toBe('issues/update-comment');
  expect(match('GET', '/repos/o/r/git/ref/heads%2Fimages')?.parameters.ref).toBe('heads/images');
  expect(match('PUT', '/repos/o/r/issues/12/comments')).toBeUndefined();
});

test.each<[string, ReturnType<typeof sent>, RegExp]>([
  ['a missing property', sent({}), /required property 'body'/],
  ['a wrong type', sent({ body: 12 }), /must be string/],
  ['an unknown property', sent({ body: 'x', owner: 'o' }), /unknown property owner/],
  ['a missing body', sent(), /must be object/],
  ['an unknown query parameter', sent({ body: 'x' }, [['repo', 'r']]), /unknown query parameter repo/],
])('a request with %s is at fault', (_what, request, fault) => {
  expect(faultsOfRequest(createComment, request).join()).toMatch(fault);
});

test('a query value is held against its schema', () => {
  const checks = matched('GET', '/repos/o/r/commits/abc/check-runs');
  expect(faultsOfRequest(checks, sent(undefined, [['filter', 'latest']]))).toEqual([]);
  expect(faultsOfRequest(checks, sent(undefined, [['filter', 'newest']]))).not.toEqual([]);
  expect(faultsOfRequest(checks, sent(undefined, [['per_page', 'many']]))).not.toEqual([]);
});

test('51 annotations and a summary of 65,536 characters are at fault', () => {
  const create = matched('POST', '/repos/o/r/check-runs');
  const output = { title: 't', summary: 's' };
  const check = (changes: object) =>
    faultsOfRequest(
      create,
      sent({ name: 'n', head_sha: 'c', status: 'completed', conclusion: 'success', output: { ...output, ...changes } }),
    );
  const annotation = { path: 'a', start_line: 1, end_line: 1, annotation_level: 'notice', message: 'm' };
  expect(check({})).toEqual([]);
  expect(check({ annotations: Array.from({ length: 51 }, () => annotation) }).join()).toMatch(/more than 50 items/);
  expect(check({ summary: 'x'.repeat(65_536) }).join()).toMatch(/more than 65535 characters/);
});

test("GitHub's own examples are without fault, and a mangled one is not", () => {
  const items = example('issue-comment-items', z.array(z.record(z.string(), z.unknown())));
  expect(faultsOfResponse(listComments, 200, items)).toEqual([]);
  expect(faultsOfResponse(listComments, 200, [{ ...items[0], id: 'one' }])).not.toEqual([]);
  expect(faultsOfResponse(listComments, 200, [{ ...items[0], user: undefined }])).not.toEqual([]);
  expect(faultsOfResponse(listComments, 200, [{ ...items[0], created_at: 'yesterday' }])).not.toEqual([]);
  expect(faultsOfResponse(listComments, 204, undefined)).not.toEqual([]);
});

import { ApiException } from '@kubernetes/client-node';
import { z } from 'zod';
import { ActionableError, describeError, harnessError, inputError, requirementError } from '../domain/errors.ts';
import { jsonOrUndefined } from '../domain/json.ts';

/** The part of a Kubernetes `Status` (api-conventions, "Response Status Kind") that says what went wrong. */
const statusSchema = z.object({ message: z.string(), reason: z.string().nullish(), code: z.number().nullish() });

/** A stream's refusal: client-node's Watch puts the code on a plain Error. */
const codedSchema = z.object({ statusCode: z.number() });
const systemSchema = z.object({ code: z.string() });

/** The HTTP status with which the API server refused, also when `error` was explained already. */
export function apiStatusOf(error: unknown): number | undefined {
  if (error instanceof ApiException) return error.code;
  if (error instanceof ActionableError) return apiStatusOf(error.cause);
  return codedSchema.safeParse(error).data?.statusCode;
}

/** The code of a failed connection, as ECONNREFUSED. */
export function connectionCodeOf(error: unknown): string | undefined {
  if (error instanceof ActionableError) return connectionCodeOf(error.cause);
  return systemSchema.safeParse(error).data?.code;
}

/** Whether asking again, unchanged, may well succeed: too many requests, a server's own error, a broken connection. */
export function isTransient(error: unknown): boolean {
  const status = apiStatusOf(error);
  if (status !== undefined) return status === 429 || status >= 500;
  return ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(connectionCodeOf(error) ?? '');
}

const neverSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EACCES',
]);
const unproven = /CERT|TLS|SSL|SIGNED|SIGNATURE/;

/** Whether a request that failed may have been carried out all the same: it was sent, and nobody refused it. */
export function mayHaveBeenDone(error: unknown): boolean {
  const status = apiStatusOf(error);
  if (status !== undefined) return status >= 500;
  const code = connectionCodeOf(error) ?? '';
  return !neverSent.has(code) && !unproven.test(code);
}

/** Why something was not had, without the advice: for the reason of what is not measured. */
export const reasonOf = (error: unknown): string =>
  error instanceof ActionableError ? error.facts.found : describeError(error);

/** What the API server itself said, on one line. */
function messageOf(error: unknown): string {
  if (!(error instanceof ApiException)) return describeError(error);
  const parsed = statusSchema.safeParse(typeof error.body === 'string' ? jsonOrUndefined(error.body) : error.body);
  return parsed.success ? parsed.data.message : `HTTP ${error.code}`;
}

/**
 * Says what a failed request means to its reader. An ActionableError passes through.
 * @param action what was asked, as "create the Service drainwatch-x"
 * @param server the API server's address
 */
export function explainApiError(action: string, server: string, error: unknown): ActionableError {
  if (error instanceof ActionableError) return error;
  const status = apiStatusOf(error);
  if (status !== undefined) return explainRefusal(action, server, status, error);
  const code = connectionCodeOf(error);
  const found = `${server}: ${messageOf(error)}`;
  if (code === 'ENOENT' || code === 'EACCES') {
    return inputError(
      { expected: 'the files that the kubeconfig names are readable', found, remedy: 'mend the kubeconfig' },
      error,
    );
  }
  if (code !== undefined && unproven.test(code)) {
    return requirementError(
      {
        expected: `the API server proves its identity by the kubeconfig's certificate authority (to ${action})`,
        found,
        remedy: 'use a kubeconfig that belongs to this cluster',
      },
      error,
    );
  }
  return requirementError(
    {
      expected: `the API server answers (to ${action})`,
      found,
      remedy: 'see that the cluster is up and reachable from here',
    },
    error,
  );
}

function explainRefusal(action: string, server: string, status: number, error: unknown): ActionableError {
  const found = `${server} answered ${status}: ${messageOf(error)}`;
  switch (status) {
    case 401:
      return requirementError(
        { expected: `the API server accepts the kubeconfig's credentials`, found, remedy: 'renew the credentials' },
        error,
      );
    case 403:
      return requirementError(
        { expected: `the kubeconfig's user may ${action}`, found, remedy: 'grant it, or use another user' },
        error,
      );
    case 400:
    case 422:
      return inputError({ expected: `a request to ${action} is valid`, found, remedy: 'change what it names' }, error);
    default:
      return harnessError(
        { expected: `the API server carries out: ${action}`, found, remedy: "look at the API server's log" },
        error,
      );
  }
}

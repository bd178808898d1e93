import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** Where a kubeconfig that was given as content goes, and what a relative path is relative to. */
export interface KubeconfigPlaces {
  readonly workspace: string;
  /** Made when it is needed; the post step removes it. */
  readonly privateFolder: string;
}

export interface KubeconfigFile {
  readonly path: string;
  /** Texts that the log must not show. */
  readonly secrets: readonly string[];
}

/** A kubeconfig given as content gets a file that only this user can read; a path is taken as it is. */
export async function kubeconfigFile(
  input: string,
  { workspace, privateFolder }: KubeconfigPlaces,
): Promise<KubeconfigFile> {
  if (!isContent(input)) {
    const path = resolve(workspace, input);
    // one that can't be read is the provider's to complain of
    const content = await readFile(path, 'utf8').catch(() => '');
    return { path, secrets: secretsIn(content) };
  }
  await mkdir(privateFolder, { mode: 0o700 });
  const path = join(privateFolder, 'config');
  await writeFile(path, input, { mode: 0o600, flag: 'wx' });
  return { path, secrets: secretsIn(input) };
}

const isContent = (input: string): boolean => /\n|^\s*\{|^\s*apiVersion\s*:/.test(input);

/** Shorter texts are words: to mask them would blacken the log and hide nothing. */
const shortestSecret = 8;

const kubeconfigForm = z.object({ users: z.array(z.object({ user: z.unknown() })) });

/** Every text in the credentials of a kubeconfig's users; of a text that is no kubeconfig every line. */
export function secretsIn(content: string): readonly string[] {
  const texts = credentialsIn(content) ?? [content];
  const lines = texts.flatMap((text) => text.split('\n')).map((text) => text.trim());
  return [...new Set(lines)].filter((text) => text.length >= shortestSecret);
}

function credentialsIn(content: string): readonly string[] | undefined {
  try {
    const { users } = kubeconfigForm.parse(parse(content));
    return users.flatMap(({ user }) => textsBelow(user));
  } catch {
    return undefined;
  }
}

function textsBelow(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsBelow) : [];
}

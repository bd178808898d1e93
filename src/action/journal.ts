import * as core from '@actions/core';

/** The log of the step, and the annotations that GitHub shows beside it. */
export interface Journal {
  /** Lines as they are, but none that the runner would take for a command. */
  readonly write: (text: string) => void;
  /** What `work` writes is folded under the title: the titles read as a table of contents. */
  readonly group: <T>(title: string, work: () => Promise<T>) => Promise<T>;
  /** Opens a fold that stays open until the next one, or `close`. */
  readonly open: (title: string) => void;
  readonly close: () => void;
  readonly notice: (title: string, text: string) => void;
  readonly warning: (title: string, text: string) => void;
  readonly error: (title: string, text: string) => void;
}

/**
 * The runner takes a line for a command when it begins with `::`, blanks aside, or has `##[` anywhere; whoever could
 * write one would set outputs or hide a failure.
 */
export const harmless = (line: string): string =>
  line
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replaceAll('##[', '# #[')
    .replaceAll(/[^\P{Cc}\t]|[\u2028\u2029]/gu, ' ');

export function createJournal(): Journal {
  let isOpen = false;
  const close = () => {
    if (isOpen) core.endGroup();
    isOpen = false;
  };
  const open = (title: string) => {
    close();
    core.startGroup(title);
    isOpen = true;
  };
  return {
    write: (text) => {
      for (const line of text.split('\n')) core.info(harmless(line));
    },
    group: async (title, work) => {
      open(title);
      try {
        return await work();
      } finally {
        close();
      }
    },
    open,
    close,
    notice: (title, text) => {
      core.notice(text, { title });
    },
    warning: (title, text) => {
      core.warning(text, { title });
    },
    error: (title, text) => {
      core.error(text, { title });
    },
  };
}

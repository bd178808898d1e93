/** A remark on lines of a file, in the API's own form. */
export interface Annotation {
  /** Relative to the repository's root. */
  readonly path: string;
  /** From 1. */
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: 'notice' | 'warning' | 'failure';
  readonly title?: string;
  readonly message: string;
}

/** Annotations that GitHub takes in one request. */
const batchSize = 50;
/** Documented maxima: 255 characters of title, 64 KB of message. A unit of UTF-16 is at most three bytes of UTF-8. */
const longestTitle = 255;
const longestMessage = Math.floor(65_536 / 3);

/** Cuts a list into requests, and what is too long in it. */
export function annotationBatches(annotations: readonly Annotation[]): readonly (readonly Annotation[])[] {
  const fitting = annotations.map((annotation) => ({
    ...annotation,
    message: cut(annotation.message, longestMessage),
    ...(annotation.title === undefined ? {} : { title: cut(annotation.title, longestTitle) }),
  }));
  return Array.from({ length: Math.ceil(fitting.length / batchSize) }, (_, index) =>
    fitting.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/** Never through the middle of a surrogate pair, which GitHub would refuse. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

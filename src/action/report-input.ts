import type { MarkdownInput } from '../report/markdown/report.ts';
import { publishedReference } from '../report/published.ts';
import type { Links, Publication } from './publication.ts';

/** What the report's writers are told of this run. */
export function reportInput({ aggregate, runner, target, measuredBy }: Publication, links: Links): MarkdownInput {
  const published = publishedReference();
  return {
    aggregate,
    published,
    context: {
      repository: runner.repository,
      headSha: target.headSha,
      runUrl: measuredBy ?? runner.runUrl,
      at: new Date().toISOString(),
      ...(links.artifactUrl === undefined ? {} : { artifactUrl: links.artifactUrl }),
    },
    ...(links.images === undefined ? {} : { images: links.images }),
  };
}

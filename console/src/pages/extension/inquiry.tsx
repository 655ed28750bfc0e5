import type { ReactElement } from 'react';
import { CopyField } from '../../ui';
import type { Release, Target } from './data';

/** Data with which a support team finds a submission. */
interface InquiryFacts {
  readonly extension: string;
  readonly target: Pick<Target, 'crxId' | 'storeItemId'>;
  readonly version: string;
  readonly release: Pick<Release, 'at' | 'state' | 'storeIds'>;
  readonly submittedAt: string | null;
}

/** A question to the support of Edge about a submission, with all that identifies it. */
export function inquiryText({ extension, target, version, release, submittedAt }: InquiryFacts): string {
  const ids = Object.entries(release.storeIds).filter(([name, id]) => name !== 'version' && id !== '');
  return [
    `What is the status of version ${version} of ${extension}?`,
    `CRX id: ${target.crxId ?? 'none yet'}`,
    `Product id: ${target.storeItemId ?? 'none'}`,
    ...ids.map(([name, id]) => `${name}: ${id}`),
    `Submitted: ${submittedAt ?? 'not yet'}`,
    `In its present state (${release.state.replaceAll('_', ' ')}) since: ${release.at}`,
  ].join('\n');
}

export function Inquiry({ inquiry }: { readonly inquiry: InquiryFacts }): ReactElement {
  return (
    <details>
      <summary>Ask Edge’s support about this version</summary>
      <p>Edge’s API does not report the state of a review. Its support can find the submission by these ids.</p>
      <CopyField label="inquiry" value={inquiryText(inquiry)} />
    </details>
  );
}

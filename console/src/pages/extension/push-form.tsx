import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { upload, useBrowserAsks, useStores, useWrite, type Problem, type Schemas } from '../../api';
import { FileField, Form, percent, TextArea } from '../../ui';
import { useTargets, versionPath, type Artifact, type Target } from './data';
import type { Finding } from './finding-list';
import { notesFields, NO_NOTES } from './notes-draft';
import { ReleaseNotes } from './release-notes';
import { targetName } from './target-name';
import css from './extension.module.css';

/** Answer to a push. */
export interface Push {
  readonly artifact: Artifact;
  readonly findings: readonly Finding[];
}

interface PushFormProps {
  readonly id: string;
  readonly file: File;
  readonly version: string;
  readonly warns: boolean;
  /** The one target that it is for; null for all. */
  readonly targetId: string | null;
  /** Called with what stores do not accept in the package, if they do not. */
  readonly onPushed: (push: Push) => void;
}

/** The current upload, and the share of it that has been sent. */
interface Sending {
  readonly what: 'package' | 'sources';
  readonly share: number;
}

/** Targets of a version that is pushed now. */
function destination(receivers: readonly Target[], targets: readonly Target[]): string {
  const names = receivers.map((target) => targetName(target, targets));
  if (names.length === 0) return 'No store is enabled: the version is kept until one is.';
  return `Goes to ${new Intl.ListFormat('en').format(names)}.`;
}

/** Pushes a package with its notes and sources, and opens the version's page unless there is something to say about it. */
export function PushForm({ id, file, version, warns, targetId, onPushed }: PushFormProps): ReactElement {
  const [, navigate] = useLocation();
  const { data: stores = [] } = useStores();
  const { data: targets } = useTargets(id);
  const receivers = targets?.filter((one) => one.enabled && (targetId ?? one.id) === one.id) ?? [];
  const [notes, setNotes] = useState(NO_NOTES);
  const [reviewerNotes, setReviewerNotes] = useState('');
  const [source, setSource] = useState<File | undefined>();
  const [sending, setSending] = useState<Sending | null>(null);
  const takes = (capability: 'releaseNotes' | 'reviewerNotes' | 'sourceUpload'): boolean =>
    stores.some(
      ({ id: store, capabilities }) => capabilities[capability] && receivers.some((one) => one.store === store),
    );
  const push = useWrite<undefined, Push>({
    write: async () => {
      const query = new URLSearchParams({ extension: id, version });
      const fields = {
        ...notesFields(notes),
        ...(reviewerNotes.trim() === '' ? {} : { reviewerNotes }),
      };
      if (targetId !== null) query.set('target', targetId);
      if (source !== undefined) query.set('source', 'follows');
      const onProgress = (what: Sending['what']) => (share: number) => setSending({ what, share });
      try {
        const { artifact, findings } = await upload<Schemas['UploadedPush']>({
          path: `/artifacts?${query}`,
          body: file,
          type: 'application/zip',
          fields,
          onProgress: onProgress('package'),
        });
        if (source === undefined) return { artifact, findings };
        const type = source.type === '' ? 'application/octet-stream' : source.type;
        const sourced = await upload<Artifact>({
          path: `/artifacts/${artifact.id}/source`,
          body: source,
          type,
          onProgress: onProgress('sources'),
        });
        return { artifact: sourced, findings };
      } finally {
        setSending(null);
      }
    },
    changes: [['extensions', id]],
    announcement: ({ artifact }) => `Pushed ${artifact.version}.`,
  });
  useBrowserAsks(push.isPending);
  const done = (pushed: Push): void => {
    // A note alone keeps nobody here.
    if (pushed.findings.some(({ severity }) => severity !== 'note')) onPushed(pushed);
    else navigate(versionPath(id, pushed.artifact.version));
  };
  return (
    <Form
      label="Push"
      onSubmit={() => push.mutate(undefined, { onSuccess: done })}
      problem={push.error satisfies Problem | null}
      submit={`Push ${version}${warns ? ' anyway' : ''}`}
      isBusy={push.isPending}
    >
      {takes('releaseNotes') && (
        <ReleaseNotes draft={notes} onDraft={setNotes} problem={push.error satisfies Problem | null} />
      )}
      {takes('reviewerNotes') && (
        <TextArea
          label="Notes for reviewers"
          hint="Optional. The target’s own when empty."
          value={reviewerNotes}
          onValue={setReviewerNotes}
          fault={push.error?.fault('reviewerNotes')}
        />
      )}
      {takes('sourceUpload') && (
        <FileField
          label="Sources"
          hint="Where your code is built or minified: .zip, .tar.gz, .tgz or .tar.bz2."
          accept=".zip,.gz,.tgz,.bz2"
          chosen={source?.name}
          onFile={setSource}
        />
      )}
      {targets !== undefined && <p>{destination(receivers, targets)}</p>}
      {sending !== null && (
        <label>
          Sending the {sending.what}: {percent(sending.share)}
          <progress className={css.progress} value={sending.share} max={1} />
        </label>
      )}
    </Form>
  );
}

import type { ReactElement } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { answer, api, useWrite, type Schemas } from '../../api';
import { ConfirmByName } from '../../ui';

interface DeleteLicenseProps {
  readonly license: Schemas['License'];
  readonly etag: string | null;
  readonly onClose: () => void;
}

/** Deletes a revoked license, and leads back to the list. */
export function DeleteLicense({ license: { id, codeHint }, etag, onClose }: DeleteLicenseProps): ReactElement {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const remove = useWrite({
    write: () =>
      answer(
        api.DELETE('/api/v1/licenses/{id}', {
          params: { path: { id }, header: etag === null ? {} : { 'If-Match': etag } },
        }),
      ),
    changes: [],
    announcement: () => `Deleted the license …${codeHint}.`,
  });
  const leave = (): void => {
    navigate('/licenses', { replace: true });
    // The license itself is asked for no more: it would be missed.
    client.removeQueries({ queryKey: ['licenses', id] });
    void client.invalidateQueries({ queryKey: ['licenses'] });
  };
  return (
    <ConfirmByName
      title="Delete the license"
      description="The buyer’s e-mail address and the devices are deleted with it. This is final."
      name={codeHint}
      action="Delete the license"
      isOpen
      isBusy={remove.isPending}
      problem={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: leave })}
      onClose={onClose}
    />
  );
}

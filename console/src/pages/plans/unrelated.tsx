import type { ReactElement } from 'react';
import { answer, api, usePages, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, Dialog, Form, PROCESSORS, Table, Time } from '../../ui';
import css from './plans.module.css';
import { replayAll, SALES } from './sales';

type InboxItem = Schemas['InboxItem'];
type Product = Schemas['UnrelatedProduct'];

interface UnrelatedDialogProps {
  readonly item: InboxItem;
  readonly onClose: () => void;
}

/** Marks what a sale was for as no business of an extension. */
export function UnrelatedDialog({ item: { id, processor, reason }, onClose }: UnrelatedDialogProps): ReactElement {
  const mark = useWrite({
    write: async () => {
      await answer(api.POST('/api/v1/webhooks/inbox/{id}/unrelated', { params: { path: { id } } }));
      return replayAll({ processor });
    },
    changes: SALES,
    announcement: (open) =>
      open === 0 ? 'Marked. No sale needs you.' : `Marked. ${open} sales of other products still have no license.`,
  });
  return (
    <Dialog
      title="Not for an extension"
      description={`${reason ?? ''} Marked as unrelated, no sale of it asks for a license again.`}
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => mark.mutate(undefined, { onSuccess: onClose })}
        problem={mark.error}
        submit="Mark as unrelated"
        isBusy={mark.isPending}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** The products that are marked, each of which can be taken back. Nothing while there is none. */
export function UnrelatedProducts(): ReactElement | null {
  const { can } = useSession();
  const list = usePages<Product>(['inbox', 'unrelated-products'], (cursor, signal) =>
    answer(api.GET('/api/v1/webhooks/unrelated-products', { params: { query: { cursor } }, signal })),
  );
  const remove = useWrite({
    write: (id: string) => answer(api.DELETE('/api/v1/webhooks/unrelated-products/{id}', { params: { path: { id } } })),
    changes: [['inbox']],
    announcement: () => 'Its sales ask for a license again.',
  });
  if (list.items === undefined || list.items.length === 0) return null;
  return (
    <section className={css.section} data-cards>
      <h2>Products that are not for an extension</h2>
      <Table
        caption="Products that are not for an extension"
        {...list.table}
        rowKey={({ id }) => id}
        refusal={remove.error}
        empty={null}
        columns={[
          { title: 'Product', cell: ({ productId }) => productId },
          { title: 'Processor', cell: ({ processor }) => PROCESSORS[processor] },
          { title: 'Marked', cell: ({ markedAt }) => <Time at={markedAt} /> },
          ...(can('licenses:write')
            ? [
                {
                  title: 'Ask again',
                  cell: ({ id, productId }: Product) => (
                    <Button onClick={() => remove.mutate(id)} aria-label={`Ask again for ${productId}`}>
                      Ask again
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}

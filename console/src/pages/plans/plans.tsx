import { useState, type ReactElement } from 'react';
import { answer, api, useExtensionChoices, usePages, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, Dialog, Empty, Field, Form, Select, Table, type Column } from '../../ui';
import css from './plans.module.css';
import { ProductsDialog } from './products-dialog';

type Plan = Schemas['Plan'];

/** The tiers that are sold, and which products of the processors buy them. */
export function Plans(): ReactElement {
  const { can } = useSession();
  const [isMaking, setMaking] = useState(false);
  const [chosen, setChosen] = useState<Plan | null>(null);
  const [wanted, setWanted] = useState('');
  const extensions = useExtensionChoices();
  const list = usePages<Plan>(['plans'], (cursor, signal) =>
    answer(
      api.GET('/api/v1/plans', {
        params: { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );
  const nameOf = (id: string): string => extensions.find((one) => one.id === id)?.name ?? '';
  const fits = ({ tier, extensionId, products }: Plan): boolean =>
    [tier, nameOf(extensionId), ...products.map(({ productId }) => productId)].some((text) =>
      text.toLowerCase().includes(wanted.trim().toLowerCase()),
    );
  const columns: readonly Column<Plan>[] = [
    {
      title: 'Tier',
      cell: ({ tier, extensionId }) => (
        <div className={css.wrap}>
          {tier}
          <span className={css.sub}>{nameOf(extensionId)}</span>
        </div>
      ),
    },
    { title: 'Devices', cell: ({ maxActivations }) => maxActivations, isEnd: true },
    {
      title: 'Products',
      cell: ({ products }) => (
        <div className={css.wrap}>
          {products.length === 0 ? 'none' : products.map(({ productId }) => productId).join(', ')}
        </div>
      ),
    },
    ...(can('licenses:write')
      ? [{ title: 'Sold as', cell: (plan: Plan) => <Button onClick={() => setChosen(plan)}>Edit products</Button> }]
      : []),
  ];
  return (
    <section className={css.section} data-cards>
      <div className={css.head}>
        <h2>Plans</h2>
        {can('licenses:write') && (
          <Button kind="primary" onClick={() => setMaking(true)}>
            Make a plan
          </Button>
        )}
      </div>
      {(list.items?.length ?? 0) > 5 && (
        <Field label="Find a tier or product" type="search" value={wanted} onValue={setWanted} />
      )}
      <Table
        caption="Plans"
        columns={columns}
        rows={list.items?.filter(fits)}
        rowKey={({ id }) => id}
        problem={list.problem}
        retry={list.retry}
        more={list.more}
        isFetchingMore={list.isFetchingMore}
        empty={
          <Empty title={wanted === '' ? 'No plan yet' : 'No plan matches'}>
            <p>A plan is a tier of one extension, such as pro. Its name is what the shipped extension compares.</p>
          </Empty>
        }
      />
      {isMaking && <PlanDialog onClose={() => setMaking(false)} />}
      {chosen !== null && <ProductsDialog plan={chosen} onClose={() => setChosen(null)} />}
    </section>
  );
}

interface PlanDialogProps {
  readonly onClose: () => void;
}

/** Makes a plan. */
function PlanDialog({ onClose }: PlanDialogProps): ReactElement {
  const extensions = useExtensionChoices();
  const [extensionId, setExtension] = useState<string | null>(null);
  const [tier, setTier] = useState('');
  const [devices, setDevices] = useState('3');
  const make = useWrite({
    write: () =>
      answer(
        api.POST('/api/v1/plans', { body: { extensionId: extensionId ?? '', tier, maxActivations: Number(devices) } }),
      ),
    changes: [['plans']],
    announcement: (plan) => `Made the plan ${plan.tier}.`,
  });
  return (
    <Dialog
      title="Make a plan"
      description="The tier’s name cannot be changed, because shipped extensions compare it."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => make.mutate(undefined, { onSuccess: onClose })}
        problem={make.error}
        submit="Make the plan"
        isBusy={make.isPending}
        isDisabled={extensionId === null}
        onCancel={onClose}
      >
        <Select
          label="Extension"
          value={extensionId}
          onValue={setExtension}
          options={extensions.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Field label="Tier" value={tier} onValue={setTier} fault={make.error?.fault('tier')} />
        <Field
          label="Devices per license"
          inputMode="numeric"
          value={devices}
          onValue={setDevices}
          fault={make.error?.fault('maxActivations')}
        />
      </Form>
    </Dialog>
  );
}

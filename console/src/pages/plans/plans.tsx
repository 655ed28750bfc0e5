import { useState, type ReactElement } from 'react';
import { answer, api, useExtensionChoices, usePages, type Schemas } from '../../api';
import { shownDuration, shownFeatures, shownTeam } from '../../plans';
import { useSession } from '../../session';
import { Actions, Button, Cell, Empty, Field, Menu, MenuItem, MoreIcon, Detail, Table, type Column } from '../../ui';
import { DeletePlan, EditPlan, MakePlan } from './plan-dialogs';
import { termsOf } from './plan-words';
import css from './plans.module.css';
import { EndDialog } from './end-dialog';
import { TeamDialog } from './team-dialog';
import { TrialDialog } from './trial-dialog';
import { ProductsDialog } from './products-dialog';

type Plan = Schemas['Plan'];

/** Has the height of a name, so that nothing moves when that arrives. */
const NO_NAME_YET = '\u00a0';

/** Actions on a plan. */
const DIALOGS = {
  products: ProductsDialog,
  edit: EditPlan,
  team: TeamDialog,
  end: EndDialog,
  trial: TrialDialog,
  delete: DeletePlan,
};

/** A chosen action on a plan. */
interface Chosen {
  readonly plan: Plan;
  readonly to: keyof typeof DIALOGS;
}

export const usePlans = () =>
  usePages<Plan>(['plans'], (cursor, signal) =>
    answer(
      api.GET('/api/v1/plans', {
        params: { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );

/** The tiers that are sold, and which products of the processors buy them. */
export function Plans({ list }: { readonly list: ReturnType<typeof usePlans> }): ReactElement {
  const mayWrite = useSession().can('extensions:write');
  const [isMaking, setMaking] = useState(false);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [wanted, setWanted] = useState('');
  const extensions = useExtensionChoices();
  const close = (): void => setChosen(null);
  const Chosen = DIALOGS[chosen?.to ?? 'edit'];
  const nameOf = (id: string): string => extensions.find((one) => one.id === id)?.name ?? NO_NAME_YET;
  const fits = ({ tier, extensionId, products }: Plan): boolean =>
    [tier, nameOf(extensionId), ...products.map(({ productId }) => productId)].some((text) =>
      text.toLowerCase().includes(wanted.trim().toLowerCase()),
    );
  const columns: readonly Column<Plan>[] = [
    {
      title: 'Tier',
      cell: (plan) => (
        <Cell>
          {plan.tier}
          <Detail>{nameOf(plan.extensionId)}</Detail>
          <Detail>{shownTeam(plan)}</Detail>
        </Cell>
      ),
    },
    { title: 'Devices', cell: ({ maxActivations }) => maxActivations, isEnd: true },
    {
      title: 'Lasts',
      cell: (plan) => (
        <Cell>
          {plan.duration === null ? 'for ever' : shownDuration(plan.duration)}
          <Detail>{termsOf(plan)}</Detail>
        </Cell>
      ),
    },
    {
      title: 'Features',
      cell: ({ entitlements }) => <Cell>{shownFeatures(entitlements) || 'none'}</Cell>,
    },
    {
      title: 'Sold as',
      cell: ({ products }) => (
        <Cell>{products.length === 0 ? 'nothing yet' : products.map(({ productId }) => productId).join(', ')}</Cell>
      ),
    },
    ...(mayWrite
      ? [
          {
            title: 'Change',
            cell: (plan: Plan) => (
              <Actions>
                <Button onClick={() => setChosen({ plan, to: 'products' })}>Edit products</Button>
                <Menu trigger={<MoreIcon />} label={`More for ${plan.tier}`}>
                  <MenuItem onSelect={() => setChosen({ plan, to: 'edit' })}>Edit</MenuItem>
                  <MenuItem onSelect={() => setChosen({ plan, to: 'team' })}>Team…</MenuItem>
                  <MenuItem onSelect={() => setChosen({ plan, to: 'end' })}>When licenses end…</MenuItem>
                  <MenuItem onSelect={() => setChosen({ plan, to: 'trial' })}>Trial…</MenuItem>
                  <MenuItem onSelect={() => setChosen({ plan, to: 'delete' })}>Delete</MenuItem>
                </Menu>
              </Actions>
            ),
          },
        ]
      : []),
  ];
  return (
    <section className={css.section} data-cards>
      <div className={css.head}>
        <h2>Plans</h2>
        {mayWrite && (
          <Button kind="primary" onClick={() => setMaking(true)}>
            Create a plan
          </Button>
        )}
      </div>
      {(list.items?.length ?? 0) > 5 && (
        <Field label="Find a tier or product" type="search" value={wanted} onValue={setWanted} />
      )}
      <Table
        caption="Plans"
        columns={columns}
        {...list.table}
        rows={list.items?.filter(fits)}
        rowKey={({ id }) => id}
        empty={
          <Empty title={wanted === '' ? 'No plan yet' : 'No plan matches'}>
            <p>A plan is a tier of one extension, such as pro. Its name is what the shipped extension compares.</p>
          </Empty>
        }
      />
      {isMaking && <MakePlan onClose={() => setMaking(false)} />}
      {chosen !== null && <Chosen plan={chosen.plan} onClose={close} />}
    </section>
  );
}

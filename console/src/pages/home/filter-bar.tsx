import { useState, type ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { ChevronIcon, Dialog, Field, Form, Menu, MenuChoice, MenuItem, MenuRule, useFilters } from '../../ui';
import { isState, STATES, type Filter } from './filter';
import { useKept } from './kept';
import { withoutView, withView } from './kept-list';
import css from './home.module.css';

const ALL = 'all';
const OPTIONS = [
  { value: ALL, label: 'Any state' },
  ...Object.entries(STATES).map(([value, label]) => ({ value, label })),
];

/** The filter in the page's address. */
export function useFilter(): Filter {
  const [search] = useFilters();
  const state = search.get('state');
  return { words: search.get('q') ?? '', state: isState(state) ? state : null };
}

/** Filters the extensions by words and state, and keeps such filters under a name. */
export function FilterBar(): ReactElement {
  const [search, setFilter] = useFilters({ replace: true });
  const { words, state } = useFilter();
  return (
    <div role="search" aria-label="Filter the extensions" className={css.filters}>
      <Field
        label="Name"
        type="search"
        value={words}
        onValue={(value) => setFilter('q', value)}
        placeholder="Words of the name"
        autoComplete="off"
        maxLength={100}
      />
      {/* A menu rather than a select: it is loaded once somebody is about to open it. */}
      <Menu
        triggerClassName={css.views}
        trigger={
          <>
            {state === null ? 'Any state' : STATES[state]}
            <ChevronIcon />
          </>
        }
      >
        <MenuChoice
          label="State"
          value={state ?? ALL}
          options={OPTIONS}
          onValue={(value) => setFilter('state', value === ALL ? '' : value)}
        />
      </Menu>
      <Views query={search.toString()} />
    </div>
  );
}

/** The saved filters of this person. @param query of the page's address */
function Views({ query }: { readonly query: string }): ReactElement {
  const [{ views }, keep] = useKept();
  const [, setSearch] = useSearchParams();
  const [isNaming, setNaming] = useState(false);
  const current = views.find((view) => view.query === query);
  return (
    <>
      <Menu
        triggerClassName={css.views}
        trigger={
          <>
            {current?.name ?? 'Views'}
            <ChevronIcon />
          </>
        }
      >
        {views.map((view) => (
          <MenuItem key={view.name} onSelect={() => setSearch(new URLSearchParams(view.query))}>
            <bdi>{view.name}</bdi>
          </MenuItem>
        ))}
        {views.length > 0 && <MenuRule />}
        {current !== undefined && (
          <MenuItem onSelect={() => keep((kept) => withoutView(kept, current.name))}>Forget this view</MenuItem>
        )}
        {query !== '' && <MenuItem onSelect={() => setSearch(new URLSearchParams())}>Show everything</MenuItem>}
        <MenuItem onSelect={() => setNaming(true)} disabled={query === ''}>
          Save this view…
        </MenuItem>
      </Menu>
      {isNaming && (
        <SaveView onSave={(name) => keep((kept) => withView(kept, { name, query }))} onClose={() => setNaming(false)} />
      )}
    </>
  );
}

/** Mounted while the dialog is open, so that no name is left for the next view. */
function SaveView({
  onSave,
  onClose,
}: {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const [name, setName] = useState('');
  const save = (): void => {
    onSave(name.trim());
    onClose();
  };
  return (
    <Dialog title="Save this view" description="It stays in this browser, for you alone." isOpen onClose={onClose}>
      <Form onSubmit={save} submit="Save" isDisabled={name.trim() === ''} onCancel={onClose}>
        <Field label="Name" value={name} onValue={setName} autoComplete="off" maxLength={60} />
      </Form>
    </Dialog>
  );
}

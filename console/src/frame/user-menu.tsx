import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { asProblem } from '../api';
import { logOut, switchTenant, useSession } from '../session';
import { announce, classes, ChevronIcon, Menu, MenuChoice, MenuItem, MenuLink, MenuRule, PersonIcon } from '../ui';
import { chooseScheme, useScheme } from '../scheme';
import icon from './icon.svg';
import css from './frame.module.css';

const say = (thrown: unknown): void => announce(asProblem(thrown).message);

/** The tenant and its user: invites others, switches the tenant and the colour scheme, and logs out. */
export function UserMenu(): ReactElement {
  const { can, tenant, tenants, user } = useSession();
  const [, navigate] = useLocation();
  const scheme = useScheme();
  return (
    <Menu
      triggerClassName={css.tenant}
      label={`${tenant.name}, Account menu of ${user.email}`}
      trigger={
        <>
          <span className={css.person}>
            <PersonIcon />
          </span>
          <img src={icon} className={css.long} width="20" height="20" alt="" />
          <bdi className={classes(css.name, css.long)}>{tenant.name}</bdi>
          <span className={classes(css.name, css.short)}>Account</span>
          <ChevronIcon />
        </>
      }
    >
      {tenants.length > 1 && (
        <>
          <MenuChoice
            label="Workspace"
            value={tenant.id}
            options={tenants.map(({ id, name }) => ({ value: id, label: name }))}
            onValue={(id) => void switchTenant(id).then(() => navigate('/'), say)}
          />
          <MenuRule />
        </>
      )}
      <MenuChoice
        label="Colours"
        value={scheme}
        options={[
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        onValue={chooseScheme}
      />
      <MenuRule />
      {can('members:write') && <MenuLink href="/settings/members?invite">Invite people</MenuLink>}
      <MenuLink href="/settings/account">{user.email}</MenuLink>
      <MenuItem onSelect={() => void logOut().catch(say)}>Log out</MenuItem>
    </Menu>
  );
}

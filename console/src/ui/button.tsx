import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import { classes } from './class-names';
import css from './ui.module.css';

type Kind = 'primary' | 'danger' | 'quiet';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly kind?: Kind;
  /** Whether what it does is under way: it keeps its focus and does nothing meanwhile. */
  readonly isBusy?: boolean;
  /** Name of a button that shows an icon only. */
  readonly label?: string;
}

/** A button. One primary button per page or dialog. */
export function Button({ kind, isBusy = false, label, disabled, type = 'button', ...rest }: ButtonProps): ReactElement {
  return (
    <BaseButton
      {...rest}
      type={type}
      disabled={disabled === true || isBusy}
      focusableWhenDisabled
      aria-busy={isBusy || undefined}
      aria-label={label ?? rest['aria-label']}
      className={classes(css.button, kind && css[kind], label !== undefined && css.icon)}
    />
  );
}

interface ButtonLinkProps {
  readonly href: string;
  readonly kind?: Kind;
  readonly children: ReactNode;
}

/** A link that looks like a button: within the console, or to another site in a new tab. */
export function ButtonLink({ href, kind, children }: ButtonLinkProps): ReactElement {
  const className = classes(css.button, kind && css[kind]);
  return href.startsWith('/') && !href.startsWith('/api/') ? (
    <Link href={href} className={className}>
      {children}
    </Link>
  ) : (
    <a href={href} className={className} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

/** A link to another site, in a new tab. */
export function OutLink({ href, children }: { readonly href: string; readonly children: ReactNode }): ReactElement {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

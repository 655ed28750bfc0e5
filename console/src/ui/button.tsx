import type { ComponentProps, MouseEvent, ReactElement, ReactNode } from 'react';
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

/** A button. One primary button per page or dialog. One that does nothing now can still have the focus. */
export function Button(props: ButtonProps): ReactElement {
  const { kind, isBusy = false, label, disabled = false, type = 'button', onClick, ...rest } = props;
  const isOff = disabled || isBusy;
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      // Without its default, the click submits no form.
      onClick={isOff ? (event: MouseEvent) => event.preventDefault() : onClick}
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

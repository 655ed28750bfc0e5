import { useEffect, useRef, type CSSProperties, type ReactElement, type ReactNode } from 'react';
import { classes } from '../../ui';
import css from './branding.module.css';

/** Preview of the buyers' view; null for every part that is not set. */
export interface Shown {
  readonly displayName: string | null;
  readonly supportAddress: string | null;
  readonly accentColor: string | null;
  /** A path, or base64 for one that is not saved. */
  readonly logo: string | null;
}

interface BrandingPreviewProps {
  readonly shown: Shown;
  readonly isNewLogo: boolean;
  /** As `#rrggbb`; null for that of the service. */
  readonly colour: string | null;
}

const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/** Preview of a page of buyers and a mail to them, in both colour schemes. Nothing in it can be pressed. */
export function BrandingPreview({ shown, isNewLogo, colour }: BrandingPreviewProps): ReactElement {
  return (
    <section aria-labelledby="preview" className={css.preview}>
      <h2 id="preview">Preview</h2>
      {SCHEMES.map((scheme) => (
        <Pane key={scheme} title={`Buyers’ page, ${scheme}`} scheme={scheme} colour={colour}>
          {(shown.logo !== null || shown.displayName !== null) && (
            <div className={css.brand}>
              {shown.logo !== null && <Logo logo={shown.logo} isNew={isNewLogo} />}
              {shown.displayName !== null && <bdi>{shown.displayName}</bdi>}
            </div>
          )}
          <p className={css.title}>My licenses</p>
          <p>Enter the e-mail address that you used for your purchase.</p>
          <p>
            <span className={css.press}>Send me a link</span>
          </p>
          <Help shown={shown} begin="Questions?" />
        </Pane>
      ))}
      {SCHEMES.map((scheme) => (
        <Pane key={scheme} title={`Mail, ${scheme}`} scheme={scheme} colour={colour} isMail>
          <p>Open this link within 15 minutes to see your licenses and devices. It works once.</p>
          <p>
            <span className={css.press}>See my licenses</span>
          </p>
          {shown.supportAddress === null ? (
            shown.displayName !== null && (
              <p>
                <bdi>{shown.displayName}</bdi>
              </p>
            )
          ) : (
            <Help shown={shown} begin="Questions?" />
          )}
        </Pane>
      ))}
    </section>
  );
}

interface PaneProps {
  readonly title: string;
  readonly scheme: Scheme;
  readonly colour: string | null;
  readonly isMail?: boolean;
  readonly children: ReactNode;
}

function Pane({ title, scheme, colour, isMail = false, children }: PaneProps): ReactElement {
  return (
    <figure className={css.pane}>
      <figcaption>{title}</figcaption>
      <div
        data-scheme={scheme}
        className={classes(isMail ? css.mail : css.paper, colour !== null && (isMail ? css.coloured : 'branded'))}
        style={(colour === null ? {} : { '--brand': colour }) as CSSProperties}
      >
        {children}
      </div>
    </figure>
  );
}

function Help({ shown, begin }: { readonly shown: Shown; readonly begin: string }): ReactElement | null {
  const { displayName, supportAddress } = shown;
  if (supportAddress === null) return null;
  return (
    <p className={css.help}>
      {begin}
      {displayName !== null && (
        <>
          {' '}
          Ask <bdi>{displayName}</bdi>:
        </>
      )}{' '}
      <span className={css.link}>{supportAddress.replace(/^https:\/\//, '')}</span>
    </p>
  );
}

interface LogoProps {
  readonly logo: string;
  /** Not saved yet: base64. */
  readonly isNew: boolean;
  /** Text for people who do not see it; empty beside a name. */
  readonly label?: string;
}

/** A logo that is saved, or one that is not. */
export function Logo({ logo, isNew, label = '' }: LogoProps): ReactElement {
  return isNew ? <NewLogo base64={logo} label={label} /> : <img src={logo} alt={label} className={css.picture} />;
}

/** Draws a picture that has no address: the console's policy allows none but the service's own. */
function NewLogo({ base64, label }: { readonly base64: string; readonly label: string }): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isGone = false;
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    void createImageBitmap(new Blob([bytes])).then((picture) => {
      const { current } = canvas;
      if (isGone || current === null) return;
      current.width = picture.width;
      current.height = picture.height;
      current.getContext('2d')?.drawImage(picture, 0, 0);
    });
    return () => {
      isGone = true;
    };
  }, [base64]);
  return (
    <canvas
      ref={canvas}
      width={1}
      height={1}
      className={css.picture}
      {...(label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    />
  );
}

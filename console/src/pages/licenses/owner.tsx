import type { ReactElement } from 'react';
import type { Schemas } from '../../api';
import { BuyerLink } from '../../ui';
import { ownerOf } from './license-words';

/** The owner of a license, with a link to their page; or that there is none. */
export const Owner = ({ license }: { readonly license: Pick<Schemas['License'], 'buyerEmail'> }): ReactElement =>
  license.buyerEmail === null ? <>{ownerOf(license)}</> : <BuyerLink address={license.buyerEmail} />;

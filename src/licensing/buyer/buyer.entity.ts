import { Column, Entity, Index, Unique } from 'typeorm';
import { NotExported, Personal, Row } from '../../common/database/index.js';

@NotExported('person')
abstract class BuyerSecret extends Row {
  /** The buyer's e-mail address, in lower case. */
  @Column('text')
  @Personal('buyer')
  email!: string;

  /** SHA-256 of the secret. */
  @Column('text')
  secretDigest!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}

/** A mailed link. It works once: using it deletes the row. */
@Entity('buyer_link')
@Unique(['secretDigest'])
@Index(['expiresAt'])
export class BuyerLinkEntity extends BuyerSecret {}

/** The session of a browser whose user has opened a mailed link. */
@Entity('buyer_session')
@Unique(['secretDigest'])
@Index(['expiresAt'])
export class BuyerSessionEntity extends BuyerSecret {}

import { Injectable } from '@nestjs/common';
import { workContext } from '../../../common/access/index.js';
import { clientOf, CountryResolver, labelOfClient } from '../../../common/http/index.js';
import type { SessionEntity } from './session.entity.js';

/** What a session shows of where it is used; null where unknown. */
export type SessionPlace = Pick<SessionEntity, 'device' | 'country'>;

/** Reads where the current request comes from. The address and the User-Agent themselves are not kept. */
@Injectable()
export class SessionClient {
  constructor(private readonly countries: CountryResolver) {}

  /** Returns browser, system and country of the current request. */
  place(): SessionPlace {
    const { headers = {}, address = '' } = workContext();
    return {
      device: labelOfClient(clientOf(headers['user-agent'])),
      country: this.countries.countryOf(headers, address),
    };
  }
}

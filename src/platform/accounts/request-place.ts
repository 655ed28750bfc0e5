import { Injectable } from '@nestjs/common';
import { workContext } from '../../common/access/index.js';
import { clientOf, CountryResolver, labelOfClient } from '../../common/http/index.js';

/** Origin of a request; null where unknown. */
interface Place {
  /** Browser and system. */
  readonly device: string | null;
  readonly country: string | null;
}

/** Reads where the current request comes from. The address and the User-Agent themselves are not kept. */
@Injectable()
export class RequestPlace {
  constructor(private readonly countries: CountryResolver) {}

  /** Returns browser, system and country of the current request. */
  current(): Place {
    const { headers = {}, address = '' } = workContext();
    return {
      device: labelOfClient(clientOf(headers['user-agent'])),
      country: this.countries.countryOf(headers, address),
    };
  }
}

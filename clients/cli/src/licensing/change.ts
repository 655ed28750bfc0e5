import { answer, type Schema, type Service } from '../api/service.js';
import { Failure } from '../failure.js';
import { list } from '../terminal/words.js';

type Change = 'revoke' | 'suspend' | 'reinstate';

/** Changes a license. All changes may be repeated. */
export function changeLicense(service: Service, id: string, change: Change): Promise<Schema<'License'>> {
  const request = { params: { path: { id } }, fetch: service.repeatedly };
  const { client } = service;
  if (change === 'revoke') return answer(client.POST('/api/v1/licenses/{id}/revoke', request));
  if (change === 'suspend') return answer(client.POST('/api/v1/licenses/{id}/suspend', request));
  return answer(client.POST('/api/v1/licenses/{id}/reinstate', request));
}

/** Changes what it may change of a license. */
export const updateLicense = (
  service: Service,
  id: string,
  body: Schema<'UpdateLicense'>,
): Promise<Schema<'License'>> =>
  answer(service.client.PATCH('/api/v1/licenses/{id}', { params: { path: { id } }, body, fetch: service.repeatedly }));

/** Extends a license as it was read, so that a repeated request does not extend it twice. */
export const extendLicense = (
  service: Service,
  { id, updatedAt }: Schema<'License'>,
  body: Schema<'ExtendLicense'>,
): Promise<Schema<'License'>> =>
  answer(
    service.client.POST('/api/v1/licenses/{id}/extend', {
      params: { path: { id }, header: { 'If-Match': `"${updatedAt}"` } },
      body,
    }),
  );

/** Replaces the code. Never repeated automatically: each call makes another code. */
export const rotateCode = (service: Service, id: string): Promise<Schema<'IssuedLicense'>> =>
  answer(service.client.POST('/api/v1/licenses/{id}/rotate', { params: { path: { id } } }));

/** Replaces the code, and has the service mail the new one to the buyer. */
export const mailNewCode = (service: Service, id: string): Promise<Schema<'LicenseWithDevices'>> =>
  answer(service.client.POST('/api/v1/licenses/{id}/resend', { params: { path: { id } } }));

/** Frees the seat of a device. */
export const freeSeat = async (service: Service, id: string, deviceId: string): Promise<void> => {
  const request = { params: { path: { id, deviceId } }, fetch: service.repeatedly };
  await answer(service.client.DELETE('/api/v1/licenses/{id}/devices/{deviceId}', request));
};

/** The device that is meant by its name or id. @throws Failure that names the devices when none or several could be meant */
export function chooseDevice(devices: readonly Schema<'Device'>[], wanted: string): Schema<'Device'> {
  const key = wanted.toLowerCase();
  const found = devices.filter(({ id, label }) => id === key || label?.toLowerCase() === key);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (devices.length === 0) throw new Failure('No device uses the license.');
  const names = devices.map(({ id, label }) => (label === null ? id : `"${label}" (${id})`));
  throw new Failure(`${found.length === 0 ? 'No device' : 'More than one device'} of the license is "${wanted}".`, {
    hint: `They are ${list(names)}.`,
  });
}

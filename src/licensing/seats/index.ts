/** Seats: who gets one, and the devices that hold them. */
export { nextCheckAt } from './activation-rule.js';
export { labelOf } from './devices/device-label.js';
export { deviceLock, fingerprintDigest, fingerprintHash } from './devices/fingerprint.js';
export { Activate } from './licensing.dto.js';
export { LicenseDevicesService } from './license-devices.service.js';
export type { SeatEntity } from './seat.entity.js';
export { SeatsRepository } from './seats.repository.js';

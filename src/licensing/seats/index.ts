/** Seats: who gets one, and the devices that hold them. */
export { LicenseDevicesService } from './license-devices.service.js';
export { SeatsRepository } from './seats.repository.js';

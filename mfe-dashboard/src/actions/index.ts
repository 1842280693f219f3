// Everything a person can do on the dashboard.
export { changePeriod } from './change-period.ts'
export { refreshNumbers } from './refresh.ts'

export { type Asked, toldAsToast, useAsked } from './use-asked.ts'
export { useBusy } from './use-busy.ts'

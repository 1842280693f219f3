import { capabilitiesOf, type Kind } from '@balcao/contract'
import { LINKED_DEVICE } from './linked-device.ts'

/**
 * A fresh provider id, given to a message before it is stored and sent, so that echo, receipt and answer all find it. Null where the
 * provider gives the ids: sending again would be a second message there.
 */
export function newProviderId(kind: Kind): string | null {
  return capabilitiesOf(kind).resendSafe ? LINKED_DEVICE.newId() : null
}

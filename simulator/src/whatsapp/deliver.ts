/** The way from the server to a linked device, with the trouble the knobs ask for. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { Companion } from './companion'
import type { Knobs } from './knobs'
import type { Phone } from './phone'
import type { WhatsAppNetwork } from './world'

const REPEAT_AFTER_MS = 40
const REORDER_WITHIN_MS = 60

/** Makes a stanza and hands it to the device; `make` is called again for a repeat, so that it is encrypted afresh. */
export async function deliver(
  world: WhatsAppNetwork,
  from: Phone,
  device: Companion,
  make: () => Promise<BinaryNode>,
): Promise<void> {
  const knobs = mergeKnobs(world, from, device.company)
  const stanza = await make()
  if (stanza.attrs.id) device.remember(stanza.attrs.id, make)
  if (drawChance(world, knobs.drop)) {
    device.keep(stanza)
    return
  }
  const late = computeDelay(world, knobs)
  runAfter(late, () => device.push(stanza))
  if (drawChance(world, knobs.repeat)) {
    const again = await make()
    runAfter(late + REPEAT_AFTER_MS, () => device.push(again))
  }
}

/** The world's knobs, turned further by those of the phones concerned. */
export function mergeKnobs(world: WhatsAppNetwork, ...phones: Phone[]): Knobs {
  return Object.assign({}, world.knobs, ...phones.map(phone => phone.knobs))
}

/** Runs at once when there is nothing to wait for, so that order is kept. */
export function runAfter(ms: number, work: () => void): void {
  if (ms <= 0) work()
  else setTimeout(work, ms)
}

/** Milliseconds a stanza is late by the knobs. */
export function computeDelay(world: WhatsAppNetwork, knobs: Knobs): number {
  return knobs.delayMs + (drawChance(world, knobs.reorder) ? world.random() * REORDER_WITHIN_MS : 0)
}

export function drawChance(world: WhatsAppNetwork, share: number): boolean {
  return share > 0 && world.random() < share
}

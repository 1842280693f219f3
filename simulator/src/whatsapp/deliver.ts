/** The way from the server to a linked device, with the trouble the knobs ask for. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { Companion } from './companion'
import type { Knobs } from './knobs'
import type { Phone } from './phone'
import type { World } from './world'

const REPEAT_AFTER_MS = 40
const REORDER_WITHIN_MS = 60

/** Makes a stanza and hands it to the device; `make` is called again for a repeat, so that it is encrypted afresh. */
export async function deliver(
  world: World,
  from: Phone,
  device: Companion,
  make: () => Promise<BinaryNode>,
): Promise<void> {
  const knobs = knobsOf(world, from, device.company)
  const stanza = await make()
  if (stanza.attrs.id) device.remember(stanza.attrs.id, make)
  if (chance(world, knobs.drop)) {
    device.keep(stanza)
    return
  }
  const late = lateness(world, knobs)
  after(late, () => device.push(stanza))
  if (chance(world, knobs.repeat)) {
    const again = await make()
    after(late + REPEAT_AFTER_MS, () => device.push(again))
  }
}

/** The world's knobs, turned further by those of the phones concerned. */
export function knobsOf(world: World, ...phones: Phone[]): Knobs {
  return Object.assign({}, world.knobs, ...phones.map(phone => phone.knobs))
}

/** Runs at once when there is nothing to wait for, so that order is kept. */
export function after(ms: number, work: () => void): void {
  if (ms <= 0) work()
  else setTimeout(work, ms)
}

/** Milliseconds a stanza is late by the knobs. */
export function lateness(world: World, knobs: Knobs): number {
  return knobs.delayMs + (chance(world, knobs.reorder) ? world.random() * REORDER_WITHIN_MS : 0)
}

export function chance(world: World, share: number): boolean {
  return share > 0 && world.random() < share
}

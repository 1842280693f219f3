// What a person can do, in one place: menus, buttons, shortcuts, the palette (Ctrl K) and the help (?) all read this.
import type { LucideIcon } from 'lucide-react'
import { useLayoutEffect, useSyncExternalStore } from 'react'

/** One thing a person can do right now. */
export interface Action {
  /** Stable and unique, such as `ticket.accept`. */
  readonly id: string
  /** Namespace and key of the label, such as `tickets:actions.accept`. */
  readonly labelKey: string
  readonly icon?: LucideIcon
  /** `A`, `/`, `?`, `Esc`, `Ctrl+K`, `Shift+N`. Single characters work only outside fields. */
  readonly shortcut?: string
  /** Heading in palette and help; namespace and key. */
  readonly groupKey?: string
  /** False hides the action and switches its shortcut off: state and permission belong here. */
  readonly when?: () => boolean
  /** More words the palette finds it by, in no particular language. */
  readonly keywords?: string
  /** Fetches what it needs; called where it is chosen and not yet done. */
  readonly prepare?: () => void
  readonly perform: () => void | Promise<void>
}

let stacks: readonly (readonly Action[])[] = []
let current: readonly Action[] = []
const listeners = new Set<() => void>()

/**
 * Makes actions known until the returned function is called. Of two with the same id or shortcut the later wins.
 *
 * @example const forget = registerActions([accept(ticket), transfer(ticket)])
 */
export function registerActions(actions: readonly Action[]) {
  stacks = [...stacks, actions]
  publish()
  return () => {
    stacks = stacks.filter(stack => stack !== actions)
    publish()
  }
}

/**
 * Registers while the component is mounted; keep the list stable with `useMemo`.
 * Before the paint: a key pressed the moment a list is seen must act on that list, not on the one before.
 */
export function useActions(actions: readonly Action[]) {
  useLayoutEffect(() => registerActions(actions), [actions])
}

/** All actions possible now, in order of registration. */
export function listPossibleActions() {
  return current.filter(action => action.when?.() ?? true)
}

/** As `listPossibleActions`, drawn again when the register changes. */
export function useActionList() {
  useSyncExternalStore(subscribe, () => current)
  return listPossibleActions()
}

/** Every action of what is open, possible now or not; for the help. */
export function useAllActions() {
  return useSyncExternalStore(subscribe, () => current)
}

/** Performs an action by id; false if it does not exist or is not possible now. */
export function runAction(id: string) {
  const action = listPossibleActions().find(candidate => candidate.id === id)
  void action?.perform()
  return action !== undefined
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function publish() {
  const byId = new Map<string, Action>()
  for (const action of stacks.flat()) {
    byId.delete(action.id)
    byId.set(action.id, action)
  }
  current = [...byId.values()]
  for (const listener of listeners) listener()
}

import { type Action, useActions } from '@balcao/ui/actions'
import { useTexts } from '@balcao/ui/i18n'
import { Badge, defineLatePart, IconButton } from '@balcao/ui/parts'
import { Bell, BellRing, MessagesSquare } from 'lucide-react'
import { useRef } from 'react'
import { type Bell as BellName, openBell, useBellState } from './bells.ts'

const BellPanel = defineLatePart(() => import(/* webpackChunkName: "lazy-bell" */ './BellPanel.tsx'))
const DeviceDialog = defineLatePart(() => import(/* webpackChunkName: "lazy-device" */ './DeviceDialog.tsx'))

const ICONS = { tickets: Bell, chats: MessagesSquare }

/** The same by the palette. */
const ACTIONS: readonly Action[] = (['tickets', 'chats', 'device'] as const).map(name => ({
  id: `shell.bell.${name}`,
  labelKey: `shell:bell.${name}`,
  groupKey: 'shell:help.general',
  icon: name === 'device' ? BellRing : ICONS[name],
  keywords: 'notificações avisos sino notifications bell campana',
  perform: () => openBell(name),
}))

/** The bells of the app bar: what waits in tickets, and in internal chats. */
export function Bells() {
  useActions(ACTIONS)
  return (
    <>
      <OneBell name="tickets" />
      <OneBell name="chats" />
    </>
  )
}

function OneBell({ name }: { readonly name: BellName }) {
  const t = useTexts('shell')
  const button = useRef<HTMLButtonElement>(null)
  const { counts, open } = useBellState()
  const count = counts[name]
  const label = t(`bell.${name}`)
  return (
    <>
      <IconButton
        ref={button}
        icon={ICONS[name]}
        label={label}
        aria-label={count > 0 ? `${label}: ${t('menu.waiting', { count })}` : label}
        aria-haspopup="dialog"
        aria-expanded={open === name}
        onClick={() => openBell(open === name ? null : name)}
        badge={<Badge count={count} corner />}
      />
      {open === name && <BellPanel name={name} anchor={button} />}
    </>
  )
}

/** How this device tells its person of what waits. */
export function DeviceSettings() {
  return useBellState().open === 'device' && <DeviceDialog />
}

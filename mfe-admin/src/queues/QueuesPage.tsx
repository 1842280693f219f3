import { type Queue, truncateText } from '@balcao/contract'
import { NO_ORDER } from '@balcao/contract/queues/queue'
import { addTexts, getTexts, useTexts } from '@balcao/ui/i18n'
import { IconButton, toast, toSafeColor } from '@balcao/ui/parts'
import { type Column, DataPage, useHistory, useRows } from '@balcao/ui/screens'
import { Info, List } from 'lucide-react'
import pt from '../../locales/queues/pt.json'
import { NextStep } from '../first-steps/NextStep.tsx'
import { QUEUES } from './list.ts'
import { QueueForm } from './QueueForm.tsx'
import { RemoveQueue } from './RemoveQueue.tsx'

addTexts('queues', {
  pt,
  en: () => import('../../locales/queues/en.json'),
  es: () => import('../../locales/queues/es.json'),
})

const COLUMNS: readonly Column<Queue>[] = [
  { id: 'name', width: 'w-[28%]', cell: ({ name }) => name },
  { id: 'color', width: 'w-24', cell: ({ color }) => <Swatch color={color} /> },
  { id: 'customOrder', width: 'w-28', cell: orderText },
  {
    id: 'greetingMessage',
    cell: ({ greetingMessage }) =>
      greetingMessage && (
        <bdi className="block truncate" title={truncateText(greetingMessage, 400)}>
          {greetingMessage}
        </bdi>
      ),
  },
]

/** The page of queues (spec 2 §2): table, form, deletion; live. */
export default function QueuesPage() {
  return (
    <DataPage
      texts="queues"
      icon={List}
      rows={useRows(QUEUES)}
      columns={COLUMNS}
      above={<NextStep after="queues" />}
      nameOf={({ name }) => name}
      actions={useHistory('queue')}
      cardOf={queue => ({ before: <Swatch color={queue.color} />, title: queue.name, text: formatCardText(queue) })}
      buttons={<About />}
      form={QueueForm}
      removal={RemoveQueue}
    />
  )
}

/** What an order and a connection have to do with it (spec 2 §2): pointed at, focused or, on touch, pressed. */
function About() {
  const t = useTexts('queues')
  return <IconButton icon={Info} label={t('about')} onClick={() => toast.info(t('about'))} />
}

function Swatch({ color }: { readonly color: string }) {
  return (
    <span className="flex items-center gap-2">
      <span className="size-5 flex-none rounded-tag border border-line" style={{ background: toSafeColor(color) }} />
      <span className="b-only-read">{color}</span>
    </span>
  )
}

function formatCardText(queue: Queue) {
  return `${getTexts('queues')('column.customOrder')}: ${orderText(queue)}`
}

function orderText({ customOrder }: Queue) {
  return customOrder === NO_ORDER ? getTexts('queues')('noOrder') : String(customOrder)
}

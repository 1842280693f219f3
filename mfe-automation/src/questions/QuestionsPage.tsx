import { type Question, truncateText } from '@balcao/contract'
import { END, SOMEBODY } from '@balcao/contract/bot/bot'
import { api } from '@balcao/ui/api'
import { addTexts, getTexts, useTexts } from '@balcao/ui/i18n'
import { Icon, Kbd, toSafeColor, useNarrowerThan } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { type Column, DataPage, useHistory, useRows } from '@balcao/ui/screens'
import { useSetting, useUser } from '@balcao/ui/session'
import { BotTryIt } from '@balcao/ui/try-it'
import { ArrowDown, ArrowUp, CircleQuestionMark, GripVertical, Lock } from 'lucide-react'
import { useState } from 'react'
import pt from '../../locales/questions/pt.json'
import { BotSwitch } from './BotSwitch.tsx'
import { QUESTIONS } from './live-list.ts'
import { QuestionForm } from './QuestionForm.tsx'
import { useOrder } from './use-order.ts'

addTexts('questions', {
  pt,
  en: () => import('../../locales/questions/en.json'),
  es: () => import('../../locales/questions/es.json'),
})

/** The page of the bot's questions (spec 3 §2; decisions-2 §9): their table with an order, and the phone in which one tries the bot. */
export default function QuestionsPage() {
  const rows = useRows(QUESTIONS)
  const { shown, move } = useOrder(rows)
  const mayEnd = useSetting('botCloseTicket')
  const isNarrow = useNarrowerThan('wide')
  const isAdmin = useUser().profile === 'admin'
  const history = useHistory('pergunta')
  // The phone knows all of them, also while the table shows what a search found.
  const [questions, know] = useState(shown)
  if (rows.isAll && questions !== shown) know(shown)
  const fixed = makeFixedRows(mayEnd)
  const phone = <BotTryIt questions={questions} settings={{ botCloseTicket: mayEnd }} />
  return (
    <DataPage
      texts="questions"
      icon={CircleQuestionMark}
      rows={{ ...rows, rows: rows.rows.length > 0 ? [...shown, ...(rows.isAll ? fixed : [])] : [] }}
      columns={COLUMNS}
      nameOf={({ pergunta }) => pergunta}
      height={56}
      isFixed={isFixed}
      {...(rows.isAll && { order: { onMove: move } })}
      cardOf={question => ({
        before: <NumberTile of={question} isLarge />,
        title: question.pergunta,
        text: <span className="min-w-0 truncate">{question.resposta}</span>,
      })}
      actions={isAdmin ? history.map(action => ({ ...action, when: row => !isFixed(row) })) : []}
      form={QuestionForm}
      remove={{ call: id => api('DELETE /pergunta/:id', { params: { id } }), already: 'ERR_NO_QUESTION_FOUND' }}
      buttons={<BotSwitch />}
      filters={rows.isAll && rows.rows.length > 1 && <HowToOrder />}
      foot={
        <>
          {rows.rows.length > 0 && <FixedNote />}
          {isNarrow && <div className="mt-6 flex justify-center">{phone}</div>}
        </>
      }
      panel={!isNarrow && <div className="flex-none overflow-y-auto border-l border-line px-6 py-6">{phone}</div>}
    />
  )
}

function isFixed({ id }: Pick<Question, 'id'>) {
  return id < 0
}

const COLUMNS: readonly Column<Question>[] = [
  { id: 'number', width: 'w-28', cell: question => <NumberTile of={question} /> },
  { id: 'pergunta', width: 'w-[24%]', cell: ({ pergunta }) => <Lines text={pergunta} isName /> },
  { id: 'resposta', cell: ({ resposta }) => <Lines text={resposta} /> },
  {
    id: 'queue',
    width: 'w-36',
    cell: ({ queue }) =>
      queue && (
        <span className="flex min-w-0 items-center gap-2">
          <span className="size-2.5 flex-none rounded-tag" style={{ background: toSafeColor(queue.color) }} />
          <bdi className="min-w-0 truncate">{queue.name}</bdi>
        </span>
      ),
  },
  {
    id: 'openTicket',
    width: 'w-32',
    cell: ({ id, openTicket }) => (id === ENDS ? null : getTexts('questions')(openTicket ? 'yes' : 'no')),
  },
]

/** At most two lines. */
function Lines({ text, isName }: { readonly text: string; readonly isName?: boolean }) {
  return (
    <bdi
      className={`line-clamp-2 break-words ${isName ? 'font-semibold text-ink' : ''}`}
      title={truncateText(text, 400)}
    >
      {text}
    </bdi>
  )
}

const [ASKS, ENDS] = [-99, -100]

/** What is always there, in the words of the page. */
function makeFixedRows(mayEnd: boolean): Question[] {
  const t = getTexts('questions')
  const row = { queueId: null, queue: null, openTicket: true, order: 99, version: 1 }
  return [
    { ...row, id: ASKS, pergunta: t('fixed.somebody'), resposta: t('fixed.somebodyText') },
    { ...row, id: ENDS, pergunta: t('fixed.end'), resposta: t(mayEnd ? 'fixed.endText' : 'fixed.endOff'), order: 100 },
  ]
}

/** What a customer sends to choose it. */
function NumberTile({ of: { id, order }, isLarge }: { readonly of: Question; readonly isLarge?: boolean }) {
  const number = id === ASKS ? SOMEBODY.number : id === ENDS ? END.number : String(order)
  return (
    <span
      className={`inline-grid place-items-center rounded-field bg-sunken font-semibold text-ink tabular-nums ${
        isLarge ? 'size-11 text-body' : 'h-6 min-w-6 px-1.5 text-cell'
      }`}
    >
      {number}
    </span>
  )
}

function HowToOrder() {
  const t = useTexts('questions')
  return (
    <p className="m-0 ml-auto flex items-center gap-1.5 text-small text-text-2 max-sm:hidden">
      {t('order.drag')}
      <Icon of={GripVertical} size={14} />
      {t('order.or')}
      <Kbd>Alt</Kbd>
      <Kbd>
        <Icon of={ArrowUp} size={14} label="↑" />
      </Kbd>
      <Kbd>
        <Icon of={ArrowDown} size={14} label="↓" />
      </Kbd>
    </p>
  )
}

function FixedNote() {
  const t = useTexts('questions')
  const isAdmin = useUser().profile === 'admin'
  return (
    <p className="mt-3 mb-0 flex flex-wrap items-center gap-x-1.5 text-small text-text-2">
      <Icon of={Lock} size={14} />
      {t('fixed.note')}
      {isAdmin && (
        <Link to="/Settings#botCloseTicket" className="font-semibold text-primary-text">
          {t('fixed.settings')}
        </Link>
      )}
    </p>
  )
}

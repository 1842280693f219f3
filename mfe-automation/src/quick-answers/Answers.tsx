import type { QuickAnswer } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Icon, useNarrowerThan } from '@balcao/ui/parts'
import { Check, Paperclip } from 'lucide-react'
import type { Desk } from './desk.ts'
import { RowActions } from './RowActions.tsx'

interface AnswersProps {
  readonly rows: readonly QuickAnswer[]
  readonly desk: Desk
}

/** The quick answers as a table; as cards on a phone (spec 3 §2). */
export function Answers(props: AnswersProps) {
  return useNarrowerThan('phone') ? <AnswerCards {...props} /> : <AnswerTable {...props} />
}

const COLUMNS = ['shortcut', 'media', 'message', 'actions'] as const

function AnswerTable({ rows, desk }: AnswersProps) {
  const t = useTexts('automation')
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <table className="w-full table-fixed border-collapse text-left text-cell" aria-label={t('table')}>
        <colgroup>
          <col className="w-[26%] max-w-60" />
          <col className="w-24" />
          <col />
          <col className="w-28" />
        </colgroup>
        <thead>
          <tr>
            {COLUMNS.map(column => (
              <th key={column} scope="col" className="h-10 px-4 text-tag font-semibold text-text-2 last:text-right">
                {t(`column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(answer => (
            <tr key={answer.id} data-answer={answer.id} className="border-t border-line hover:bg-hover">
              <th scope="row" className="h-11 px-4 font-normal">
                <Shortcut text={answer.shortcut} />
              </th>
              <td className="px-4">
                <HasMedia answer={answer} />
              </td>
              <td className="px-4">
                <Message answer={answer} />
              </td>
              <td className="px-3 text-right">
                <RowActions answer={answer} desk={desk} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AnswerCards({ rows, desk }: AnswersProps) {
  const t = useTexts('automation')
  return (
    <ul className="m-0 grid list-none gap-3 p-0" aria-label={t('table')}>
      {rows.map(answer => (
        <li
          key={answer.id}
          data-answer={answer.id}
          className="rounded-card border border-line bg-surface py-2 pr-2 pl-4"
        >
          <div className="flex items-center justify-between gap-2">
            <Shortcut text={answer.shortcut} />
            <RowActions answer={answer} desk={desk} />
          </div>
          <p className="m-0 line-clamp-3 pr-2 pb-1.5 text-cell break-words whitespace-pre-line text-text-2">
            {answer.message}
          </p>
          {answer.mediaName && <MediaLabel name={answer.mediaName} />}
        </li>
      ))}
    </ul>
  )
}

function Shortcut({ text }: { readonly text: string }) {
  return (
    <bdi className="inline-block max-w-full truncate rounded-tag bg-primary-tint px-1.5 py-0.5 align-middle font-mono text-small text-primary-text">
      /{text}
    </bdi>
  )
}

function HasMedia({ answer }: { readonly answer: QuickAnswer }) {
  const t = useTexts('automation')
  if (!answer.mediaUrl) return <span className="b-only-read">{t('withoutMedia')}</span>
  return (
    <span className="text-ok">
      <Icon of={Check} size={16} label={t('withMedia')} />
    </span>
  )
}

function Message({ answer }: { readonly answer: QuickAnswer }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <bdi className="min-w-0 truncate" title={answer.message.slice(0, 400)}>
        {answer.message}
      </bdi>
      {answer.mediaName && <MediaLabel name={answer.mediaName} />}
    </span>
  )
}

function MediaLabel({ name }: { readonly name: string }) {
  return (
    <span className="inline-flex max-w-48 flex-none items-center gap-1 text-small text-muted">
      <Icon of={Paperclip} size={14} />
      <bdi className="truncate">{name}</bdi>
    </span>
  )
}

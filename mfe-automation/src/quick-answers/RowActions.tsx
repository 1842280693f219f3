import type { QuickAnswer } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { IconButton } from '@balcao/ui/parts'
import { ANSWER_ACTIONS } from '../actions/index.ts'
import type { Desk } from './desk.ts'

/** Edit and delete, named with their shortcut for screen readers. */
export function RowActions({ answer, desk }: { readonly answer: QuickAnswer; readonly desk: Desk }) {
  const t = useTexts('automation')
  return (
    <span className="flex flex-none items-center justify-end gap-1">
      {ANSWER_ACTIONS.map(action => (
        <IconButton
          key={action.id}
          icon={action.icon}
          size="small"
          label={t(action.labelKey, { shortcut: answer.shortcut })}
          className="max-sm:size-11"
          onClick={() => action.perform(answer, desk)}
        />
      ))}
    </span>
  )
}

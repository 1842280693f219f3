import { type Action, useActions } from '@balcao/ui/actions'
import { useSetting } from '@balcao/ui/session'
import { Sparkles } from 'lucide-react'
import { useMemo } from 'react'
import { useAi } from '../message/ai.ts'

/** Where it is switched on the AI's help is in the menu beside the field and in the palette. */
export function useAssistAction(isPossible: boolean, { prepare, perform }: Pick<Action, 'prepare' | 'perform'>) {
  const isOn = useSetting('aiAssist')
  const ai = useAi()
  const isOffered = isOn && ai !== 'off' && isPossible
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens the same panel whenever it was made
  const actions = useMemo(
    () =>
      isOffered
        ? [
            {
              id: 'ticket.assist',
              labelKey: 'tickets:composer.assist',
              groupKey: 'tickets:action.group',
              icon: Sparkles,
              prepare,
              // Who asked for it goes on there, wherever the focus was.
              perform() {
                if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
                return perform()
              },
            },
          ]
        : [],
    [isOffered],
  )
  useActions(actions)
}

import { useActionList } from '@balcao/ui/actions'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Kbd } from '@balcao/ui/parts'

interface FirstActionProps {
  readonly name: 'acceptNext' | 'new'
}

/** What one begins with where nothing is: the key stands beside it. */
export function FirstAction({ name }: FirstActionProps) {
  const t = useTexts('tickets')
  const action = useActionList().find(({ id }) => id === `tickets.${name}`)
  if (!action) return null
  return (
    <Button icon={action.icon} onClick={() => void action.perform()}>
      {t(`action.${name}`)} {action.shortcut && <Kbd>{action.shortcut}</Kbd>}
    </Button>
  )
}

import { useTexts } from '@balcao/ui/i18n'
import { IconButton, Menu } from '@balcao/ui/parts'
import { ArrowUpDown, ClockArrowUp } from 'lucide-react'

interface OrderMenuProps {
  readonly longestFirst: boolean
  readonly onChange: (longestFirst: boolean) => void
}

/** Of those who wait: the newest words first, or who has been waiting longest. */
export function OrderMenu({ longestFirst, onChange }: OrderMenuProps) {
  const t = useTexts('tickets')
  const option = (id: 'newest' | 'longest', value: boolean) => ({
    id,
    label: t(`order.${id}`),
    checked: longestFirst === value,
    onChoose: () => onChange(value),
  })
  return (
    <Menu
      label={t('order.label')}
      items={[option('newest', false), option('longest', true)]}
      align="start"
      button={props => (
        <IconButton
          {...props}
          icon={longestFirst ? ClockArrowUp : ArrowUpDown}
          size="small"
          label={`${t('order.label')}: ${t(longestFirst ? 'order.longest' : 'order.newest')}`}
        />
      )}
    />
  )
}

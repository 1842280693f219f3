// The phone a customer sees.
import { PhonePreview } from '../src/kit/screens/index.ts'
import { Sheet } from './Sheet.tsx'

export function Phone() {
  return (
    <Sheet>
      <PhonePreview
        label="Como chega"
        name="Distribuidora São José"
        messages={[
          { id: 1, isOurs: true, text: 'Bom dia, Lúcia! Seu pedido sai hoje.', time: '09:12' },
          { id: 2, isOurs: false, text: 'Que bom, obrigada', time: '09:14' },
        ]}
      />
    </Sheet>
  )
}

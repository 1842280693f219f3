// Charts with their tables, and the phone a customer sees.
import { BarChart, Gauge, PhonePreview, RingChart } from '../src/kit/screens/index.ts'
import { Sheet } from './Sheet.tsx'

export function Charts() {
  const hours = [4, 9, 14, 22, 18, 12, 27, 31, 20, 8].map((value, index) => ({ name: `${8 + index}h`, value }))
  const queues = ['Financeiro', 'Comercial', 'Suporte', 'Entregas', 'Compras', 'RH', 'Outra'].map((name, index) => ({
    name,
    value: 40 - index * 5,
  }))
  const bands = ['#c4473b', '#e08a4a', '#e6be55', '#7fb88a', '#1b7a52'].map((color, index) => ({
    color,
    name: `Faixa ${index}`,
  }))
  return (
    <Sheet>
      <BarChart
        title="Atendimentos por hora: pico às 15h, com 31"
        unit="atendimentos"
        values={hours}
        resting={['12h', '13h']}
      />
      <RingChart title="Filas: Financeiro tem mais, 40" unit="tickets" values={queues} />
      <RingChart title="Conexões: nada ainda" unit="tickets" values={[]} />
      <Gauge title="Satisfação" value={4.4} most={5} bands={bands} words="Ótimo · 4,4 de 5" />
    </Sheet>
  )
}

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

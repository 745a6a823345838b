import { type OnlineTask, simulateOnline } from '../online/simulate.js'
import { type PrequentialTask, simulatePrequential } from '../streams/simulate.js'
import { type SyntheticTask, simulate } from '../synthetic/simulate.js'

/** Some of the runs of an experiment, as plain data that a thread can be sent. */
export type Task = SyntheticTask | OnlineTask | PrequentialTask

/** The numbers of the runs, one after the other. */
export function perform(task: Task): Float64Array {
  switch (task.kind) {
    case 'synthetic':
      return simulate(task)
    case 'online':
      return simulateOnline(task)
    case 'prequential':
      return simulatePrequential(task)
  }
}

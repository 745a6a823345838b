import { type OnlineTask, simulateOnline } from '../online/simulate.js'
import { type PrequentialTask, simulatePrequential } from '../streams/simulate.js'
import { type StandardTask, simulate } from '../synthetic/simulate.js'

/** Some of the runs of an experiment, as plain data that a thread can be sent. */
export type Task = StandardTask | OnlineTask | PrequentialTask

/** The numbers of the runs, one after the other. */
export function perform(task: Task): Float64Array {
  switch (task.kind) {
    case 'standard':
      return simulate(task)
    case 'online':
      return simulateOnline(task)
    case 'prequential':
      return simulatePrequential(task)
  }
}

import { deploymentStages, type DeploymentStage } from '@lilac/contract/states';
import { sql, type RawBuilder } from 'kysely';

/** The `stages` of a run that begins. */
export function firstStage(stage: DeploymentStage): RawBuilder<string> {
  return sql<string>`
    jsonb_build_array(jsonb_build_object('stage', ${stage}::text, 'started_at', clock_timestamp()))`;
}

/** What `first_run` becomes with it: the run that had ended stays known when another begins. */
export const firstRunKept: RawBuilder<string | null> = sql<string | null>`
    case
      when first_run is null and status not in ('pending', 'building', 'deploying')
        then jsonb_build_object('stages', stages, 'completed_at', completed_at)
      else first_run
    end`;

/** For a run that comes to nothing though its deployment is as good as it was: its stages end where it stopped. */
export const stagesKept: RawBuilder<string> = sql<string>`stages`;

/**
 * What `stages` becomes, for the very statement that sets the stage. One that had ended begins a new run. One that was
 * interrupted comes back to an earlier stage: what it had begun from there on, it begins again.
 */
export function stagesWith(stage: DeploymentStage): RawBuilder<string> {
  const begunAgain = deploymentStages.slice(deploymentStages.indexOf(stage));
  return sql<string>`
    case
      when status not in ('pending', 'building', 'deploying') then ${firstStage(stage)}
      when stages -> -1 ->> 'stage' = ${stage}::text then stages
      else (
        select coalesce(jsonb_agg(entry order by place), '[]')
        from jsonb_array_elements(stages) with ordinality as entries (entry, place)
        where entry ->> 'stage' <> all (${begunAgain}::text[])
      ) || ${firstStage(stage)}
    end`;
}
